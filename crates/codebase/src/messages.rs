//! The system's messages.

contract::sentences! { "codebase";
    index() = "index of code";
    nothing_yet() = "not built yet; the first search builds it";
    working(done, total) = "being built: {done} of {total} files";
    indexed(files, definitions, by_lines) = "files: {files}, definitions: {definitions}, files by lines only: {by_lines}";
    folder_gone(folder) = "{folder} no longer exists, so there is no code to look at; it may have been moved or deleted";
    other_project(named, folder) = "this session works in {folder} and only knows the code there; leave project out, or ask in a session that was started in {named}";
    no_project(folder) = "{folder} isn't a project that Plimsoll knows";
    no_file(file) = "{file} isn't in the index; it may be gone, or left out";
    no_such_scope(folder) = "{folder} matches no indexed file; name a folder or file relative to the project, as in src";
    nothing_passes() = "no file with these words passes the filters; ask without them";
    only_the_best(number) = "only the {number} best answers are looked through; narrow the question, or name a folder with scope";
    past_the_end(offset, number) = "offset {offset} is past the last answer (number {number})";
    no_git(folder) = "{folder} isn't in a git repository, so there is nothing to compare with";
    references_failed(symbol, problem) = "the references of {symbol}: {problem}";
    references_long(symbol) = "so many files have {symbol} that reading them takes longer; ask again, or name its type: Type.{symbol}";
    review_failed(problem) = "review: {problem}";
    review_long() = "the diff has so many definitions that their uses take longer to find; ask again in a moment";
    taken_back() = "the request was cancelled; indexing continues";
    cannot_be_made(folder, problem) = "can't build the index of {folder}: {problem}";
    first_time(folder) = "{folder} is being indexed for the first time; ask again in a moment";
    first_time_far(folder, done, total) = "{folder} is being indexed for the first time ({done} of {total} files); ask again in a moment";
}
