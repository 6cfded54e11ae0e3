/** Status, history and configuration of the server: one script, because scripts of single pages would share many small ones. */
export { Page as Backups } from './operations/backups/page.tsx';
export { Page as Configuration } from './operations/configuration/page.tsx';
export { Page as Change } from './operations/history/change-page.tsx';
export { Page as History } from './operations/history/page.tsx';
export { Page as MoveIn } from './operations/move-in/page.tsx';
export { Page as Status } from './operations/status/page.tsx';
export { Page as Tiles } from './operations/tiles/page.tsx';
export { Page as Webhooks } from './operations/webhooks/page.tsx';
