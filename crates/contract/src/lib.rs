//! Requests, replies and error codes shared by every front end; types only.
