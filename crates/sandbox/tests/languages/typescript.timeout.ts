console.log('before');
await new Promise<void>((resolve) => setTimeout(resolve, 600_000));
console.log('after');
