/** Stores, workspaces and groups: one script, because scripts of single pages would share many small ones. */
export { Page as Granules } from './data/granules/page.tsx';
export { Page as Group } from './data/group/page.tsx';
export { Page as Groups } from './data/groups/page.tsx';
export { Page as NewPostgis } from './data/new-postgis/page.tsx';
export { Page as NewStore } from './data/new-store/page.tsx';
export { Page as Publish } from './data/publish/page.tsx';
export { Page as SqlView } from './data/sql-view/page.tsx';
export { Page as Store } from './data/store/page.tsx';
export { Page as Stores } from './data/stores/page.tsx';
export { Page as Workspace } from './data/workspace/page.tsx';
export { Page as Workspaces } from './data/workspaces/page.tsx';
