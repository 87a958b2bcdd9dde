const path = require('node:path');
const hits = FILE_CONTENT.split('\n').filter((line) => line.includes('ERROR')).length;
console.log(`${hits} in ${path.basename(FILE_CONTENT_PATH)}`);
