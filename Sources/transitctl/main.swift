print("transitctl")
