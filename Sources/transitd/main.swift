print("transitd")
