console.log('before');
await new Promise((resolve) => setTimeout(resolve, 600_000));
console.log('after');
