// Parses TOML 1.0 with toml++ and returns the document as a flat list of nodes with their positions.
//
// The interface is plain C: no C++ types and no exceptions cross it.
#ifndef CTOML_H
#define CTOML_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ctoml_kind {
    CTOML_TABLE,
    CTOML_ARRAY,
    CTOML_STRING,
    CTOML_INTEGER,
    CTOML_FLOAT,
    CTOML_BOOLEAN,
    CTOML_DATE,
    CTOML_TIME,
    CTOML_DATE_TIME,
};

/// A value. The children of a table or an array follow it in the list, each followed by its own children.
typedef struct {
    enum ctoml_kind kind;
    /// The position of the value. Lines and columns count from 1; columns count code points. A `[table]` begins at its
    /// first bracket.
    uint32_t line, column;
    /// The position after the last character of a value that is not a table, or of an inline table. For other tables, and for
    /// arrays of them, it is not meaningful.
    uint32_t end_line, end_column;
    /// The position of the key; 0 for an element of an array and for the document itself.
    uint32_t key_line, key_column;
    /// The key in UTF-8 without a terminator, owned by the document; NULL for an element of an array and for the
    /// document itself.
    const char *key;
    size_t key_length;
    /// The value of a string: UTF-8 without a terminator, owned by the document.
    const char *text;
    size_t text_length;
    /// The value of an integer; 1 or 0 for a boolean.
    int64_t integer;
    /// The value of a float.
    double number;
    /// The number of children of a table or an array.
    size_t children;
} ctoml_node;

/// The result of `ctoml_parse`: nodes or a failure.
typedef struct ctoml_document ctoml_document;

enum ctoml_outcome {
    CTOML_READ,
    /// The text is not valid TOML. `ctoml_failure_text` returns the reason in English.
    CTOML_INVALID,
    /// Arrays, inline tables or the parts of a key are nested deeper than CTOML_DEEPEST.
    CTOML_TOO_DEEP,
    CTOML_NO_MEMORY,
};

/// The maximum nesting of values, and the maximum number of parts of a key. toml++ destroys a document recursively, so
/// the depth must be limited before the document is built: at most CTOML_DEEPEST * (CTOML_DEEPEST + 2) tables are
/// nested.
enum { CTOML_DEEPEST = 16 };

/// Parses `length` bytes of UTF-8. Returns NULL if there is not enough memory for the document itself. Thread-safe.
ctoml_document *ctoml_parse(const char *text, size_t length);
void ctoml_free(ctoml_document *document);

enum ctoml_outcome ctoml_result(const ctoml_document *document);
/// Returns the nodes, starting with the document's table, owned by the document. Empty unless the result is CTOML_READ.
const ctoml_node *ctoml_nodes(const ctoml_document *document, size_t *count);
/// Returns the position of the failure; 0 if it is unknown or the text was parsed.
uint32_t ctoml_failure_line(const ctoml_document *document);
uint32_t ctoml_failure_column(const ctoml_document *document);
/// Returns the reason of the failure, null-terminated and owned by the document. Empty if there is none.
const char *ctoml_failure_text(const ctoml_document *document);

#ifdef __cplusplus
}
#endif
#endif
