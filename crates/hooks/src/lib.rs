//! One hook event in, one verdict out.
