/**
 * The signed-in user. After the sign-in with a password, the console exchanges it for an API token that ends after half an
 * hour without use; only the token is kept in `sessionStorage`, so that a reload of this tab needs no password.
 */
import { signal } from '@preact/signals';
import { queries } from './cache.ts';
import { callRest, consoleRoot, getAuthorization, rest, setAuthorization, setUnauthorizedHandler } from './client.ts';
import { RestProblem, toProblem } from './problems.ts';

export interface Self {
  readonly name: string;
  readonly roles: readonly string[];
  readonly isAdministrator: boolean;
  /** The workspaces that the user administers; `*` for all. */
  readonly workspaces: readonly string[];
}

interface SelfDocument {
  readonly self: {
    readonly name: string;
    readonly roles: readonly string[];
    readonly administrator: boolean;
    readonly workspaces: readonly string[];
  };
}

/** Undefined before the first check, null without a user. */
export const session = signal<Self | null | undefined>(undefined);

/** Whether the session ended while the user was working: the form is shown over the page. */
export const needsSignIn = signal(false);

const STORED = 'graticule-session';
/** Whose drafts are in the storage of this tab. */
const OWNER = 'graticule-user';
const UNAUTHORIZED = 401;
const IDLE_MINUTES = 30;
const LONGEST_HOURS = 12;
/** A token that could not be revoked in this time ends by itself. */
const REVOCATION_MS = 3_000;

/** The id of the token of this tab, to delete it at the end. */
let tokenId: string | undefined;
let waiting: ((isRenewed: boolean) => void)[] = [];

/** Continues the session of this tab after a reload. */
export async function restoreSession(): Promise<void> {
  setUnauthorizedHandler(askAgain);
  const stored = sessionStorage.getItem(STORED);
  if (stored === null) {
    session.value = null;
    return;
  }
  const [id, secret = ''] = stored.split(' ');
  setAuthorization(`Bearer ${secret}`);
  try {
    const self = await readSelf();
    tokenId = id;
    session.value = self;
  } catch (error) {
    setAuthorization(undefined);
    session.value = null;
    // The token stays while the server is restarted, and drafts stay until another user signs in.
    if (toProblem(error).status === UNAUTHORIZED) sessionStorage.removeItem(STORED);
  }
}

/** Throws a RestProblem if the server rejects the password. */
export async function signIn(user: string, password: string): Promise<void> {
  await begin(createBasic(user, password));
}

/** With an access token of an identity provider. */
export async function signInWithToken(token: string): Promise<void> {
  await begin(`Bearer ${token}`);
}

async function begin(authorization: string): Promise<void> {
  const last = session.peek();
  setUnauthorizedHandler(async () => false);
  setAuthorization(authorization);
  let self: Self;
  try {
    self = await readSelf();
  } catch (error) {
    setAuthorization(undefined);
    setUnauthorizedHandler(askAgain);
    throw error;
  }
  const isOther = last != null && last.name !== self.name;
  // Another user must not see what the last one has read and written.
  if (isOther || sessionStorage.getItem(OWNER) !== self.name) sessionStorage.clear();
  sessionStorage.setItem(OWNER, self.name);
  await exchange(self);
  if (isOther) return location.reload();
  setUnauthorizedHandler(askAgain);
  session.value = self;
  needsSignIn.value = false;
  for (const resolve of waiting.splice(0)) resolve(true);
}

/** Ends the session: nothing that the user has seen stays in this tab, also if the server does not answer. */
export async function signOut(): Promise<void> {
  const [id, authorization] = [tokenId, getAuthorization()];
  forget();
  // Until the token is revoked, the page is blank.
  session.value = undefined;
  if (id !== undefined && authorization !== undefined) {
    const signal = AbortSignal.timeout(REVOCATION_MS);
    const path = rest`/security/self/tokens/${id}`;
    await callRest(path, { method: 'DELETE', authorization, signal }).catch(() => undefined);
  }
  session.value = null;
  // A new document also forgets drafts, maps and closures.
  location.replace(consoleRoot.href);
}

function forget(): void {
  sessionStorage.clear();
  setAuthorization(undefined);
  queries.clear();
  tokenId = undefined;
  needsSignIn.value = false;
  for (const resolve of waiting.splice(0)) resolve(false);
  session.value = null;
}

/** Ends the wait for a new sign-in: the page stays, its requests fail. */
export function cancelSignIn(): void {
  needsSignIn.value = false;
  for (const resolve of waiting.splice(0)) resolve(false);
}

function askAgain(): Promise<boolean> {
  if (session.peek() == null) return Promise.resolve(false);
  needsSignIn.value = true;
  return new Promise((resolve) => {
    waiting = [...waiting, resolve];
  });
}

async function readSelf(): Promise<Self> {
  const { self } = (await callRest<SelfDocument>('/security/self')).body;
  return {
    name: self.name,
    roles: self.roles,
    workspaces: self.workspaces,
    isAdministrator: self.administrator,
  };
}

interface TokenDocument {
  readonly token: { readonly id: string; readonly secret: string };
}

/** Without a token, for example for users of directories without that right, the password stays in memory. */
async function exchange(self: Self): Promise<void> {
  const token = {
    // Names are unique for each user.
    name: `Console ${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`,
    expires: new Date(Date.now() + LONGEST_HOURS * 3_600_000).toISOString(),
    idleMinutes: IDLE_MINUTES,
    scopes: { readOnly: false, admin: self.workspaces.length > 0, workspaces: null, services: null },
  };
  try {
    const { body } = await callRest<TokenDocument>('/security/self/tokens', { method: 'POST', body: { token } });
    tokenId = body.token.id;
    setAuthorization(`Bearer ${body.token.secret}`);
    sessionStorage.setItem(STORED, `${body.token.id} ${body.token.secret}`);
  } catch (error) {
    if (!(error instanceof RestProblem)) throw error;
  }
}

/** Whether a token is that of this session. */
export function isSessionToken(id: string): boolean {
  return id === tokenId;
}

/** Whether the user may change the resources of a workspace. */
export function administers(workspace: string): boolean {
  const self = session.value;
  return self != null && (self.isAdministrator || ['*', workspace].some((name) => self.workspaces.includes(name)));
}

/** Whether the user administers no workspace, and so reads maps and data but no configuration. */
export function isReader(): boolean {
  return (session.value?.workspaces.length ?? 0) === 0;
}

/** The credentials for requests that the server does not accept from a token. */
export function createBasic(user: string, password: string): string {
  return `Basic ${toBase64(`${user}:${password}`)}`;
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
