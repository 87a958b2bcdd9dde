import { basename } from 'node:path';
const hits: number = FILE_CONTENT.split('\n').filter((line: string) => line.includes('ERROR')).length;
console.log(`${hits} in ${basename(FILE_CONTENT_PATH)}`);
