//! Text without storage: chunking, identifiers, snippets, redaction, HTML to Markdown.
