// Reads TOML 1.0 with toml++, and hands the document over as one list of nodes with their positions.
//
// The boundary is plain C: no C++ type and no exception crosses it.
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

/// A value. Its children, if it is a table or an array, follow it in the list, each with its own children behind it.
typedef struct {
    enum ctoml_kind kind;
    /// Where the value begins; both count from 1, the column in code points. A `[table]` begins at its first bracket.
    uint32_t line, column;
    /// Where its key begins. 0 in an array, and for the document itself.
    uint32_t key_line, key_column;
    /// UTF-8 that the document owns; not terminated. NULL in an array, and for the document itself.
    const char *key;
    size_t key_length;
    /// Of a string: UTF-8 that the document owns; not terminated.
    const char *text;
    size_t text_length;
    /// Of an integer.
    int64_t integer;
    /// Of a float.
    double number;
    /// Of a table or an array.
    size_t children;
} ctoml_node;

/// What `ctoml_parse` made of a text: nodes, or a failure.
typedef struct ctoml_document ctoml_document;

enum ctoml_outcome {
    CTOML_READ,
    /// The text is not TOML: `ctoml_failure_text` says why, in English.
    CTOML_INVALID,
    /// Arrays, inline tables or the parts of a key are nested deeper than CTOML_DEEPEST.
    CTOML_TOO_DEEP,
    CTOML_NO_MEMORY,
};

/// Values in values, and parts of one key. toml++ destroys a document recursively, so its depth has to be bounded before
/// it is built: at most CTOML_DEEPEST * (CTOML_DEEPEST + 2) tables lie in one another.
enum { CTOML_DEEPEST = 16 };

/// Reads `length` bytes of UTF-8. NULL when there is no memory for the document itself. Any thread may call it.
ctoml_document *ctoml_parse(const char *text, size_t length);
void ctoml_free(ctoml_document *document);

enum ctoml_outcome ctoml_result(const ctoml_document *document);
/// The nodes, the document's table first; none but after CTOML_READ. They belong to the document.
const ctoml_node *ctoml_nodes(const ctoml_document *document, size_t *count);
/// Where a text that was not read goes wrong; 0 where that is not known.
uint32_t ctoml_failure_line(const ctoml_document *document);
uint32_t ctoml_failure_column(const ctoml_document *document);
/// Terminated; empty where there is nothing to say. It belongs to the document.
const char *ctoml_failure_text(const ctoml_document *document);

#ifdef __cplusplus
}
#endif
#endif
