$hits = substr_count($FILE_CONTENT, 'ERROR');
echo $hits, ' in ', basename(FILE_CONTENT_PATH), "\n";
