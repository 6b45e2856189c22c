declare module 'virtual:messages/*' {
  const text: string;
  export default text;
}

declare module '*?url' {
  const address: string;
  export default address;
}

// It has the types of the whole library.
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
