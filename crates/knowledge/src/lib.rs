//! Sources, chunks, search and web pages.
