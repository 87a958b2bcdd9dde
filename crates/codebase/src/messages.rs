//! What the system says about itself, as sentences.

contract::sentences! { "codebase";
    index() = "index of code";
    nothing_yet() = "not made yet; the first search makes it";
    working(done, total) = "being made: {done} of {total} files";
    indexed(files, definitions, by_lines) = "{files} files, {definitions} definitions; {by_lines} files by lines only";
    no_project(folder) = "{folder} isn't a project that is worked in here";
    no_file(file) = "{file} isn't in the index; it may be gone, or left out";
    no_git(folder) = "{folder} isn't in a git repository, so there is nothing to compare with";
    not_made(folder, problem) = "can't make the index of {folder}: {problem}";
}
