/** Which remembered answers a change can affect. Reading one too many costs a request, keeping an old one shows errors. */

/** Whether a change of the resource at `changed` can affect the answer of `known`; both are REST paths. */
export function canAffect(changed: string, known: string): boolean {
  if (known.startsWith('/history')) return true;
  const isSecurity = known.startsWith('/security/');
  if (changed.startsWith('/security/')) {
    // Rules decide what listings contain; users, tokens and providers do not.
    return isSecurity || changed.startsWith('/security/acl');
  }
  if (isSecurity) return false;
  // Pictures of styles; several changes at once may contain one.
  if (/\.png(?:\?|$)/.test(known) && !/^\/(?:batch|configuration|history)|\/styles(?:\/|$)/.test(changed)) return false;
  const [one, other] = [findWorkspace(changed), findWorkspace(known)];
  return one === undefined || other === undefined || one === other;
}

/** The workspace in a path, undefined for resources that are global or listed across workspaces. */
function findWorkspace(path: string): string | undefined {
  const name = /^\/workspaces\/([^/?]+)\//.exec(path)?.[1] ?? /\/collections\/([^/:?]+)(?::|%3A)/.exec(path)?.[1];
  return name === undefined ? undefined : decode(name);
}

/** Paths of events are not encoded. */
function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
