console.error('careful' as string); console.log('done');
