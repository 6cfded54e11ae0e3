/** Styles: one script, because scripts of single pages would share many small ones. */
export { Page as Style } from './styles/style/page.tsx';
export { Page as Styles } from './styles/styles/page.tsx';
