/** Users and their rights: one script, because scripts of single pages would share many small ones. */
export { Page as Me } from './me/page.tsx';
export { Page as Access } from './security/access/page.tsx';
export { Page as Group } from './security/groups/group-page.tsx';
export { Page as Groups } from './security/groups/page.tsx';
export { Page as Keystore } from './security/keystore/page.tsx';
export { Page as Roles } from './security/roles/page.tsx';
export { Page as SignIn } from './security/sign-in/page.tsx';
export { Page as Tokens } from './security/tokens/page.tsx';
export { Page as UrlChecks } from './security/url-checks/page.tsx';
export { Page as Users } from './security/users/page.tsx';
export { Page as User } from './security/users/user-page.tsx';
