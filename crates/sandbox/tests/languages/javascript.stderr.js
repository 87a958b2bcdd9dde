console.error('careful'); console.log('done');
