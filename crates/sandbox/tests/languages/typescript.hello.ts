interface Greeting { text: string }
const greeting: Greeting = { text: 'hello' };
console.log(greeting.text as string);
