/** Derives the links in responses from the proxy base URL. */
import type { SettingsDraft, SettingValues } from '../kinds/setting.ts';

const PATH = 'settings.proxyBaseUrl';

/** How links are built without a proxy base URL. */
export interface LinkOptions {
  /** The path before /rest, with which the proxy base URL must end. */
  readonly contextPath: string;
  /** Whether the operator has set the base URL of links, which takes precedence. */
  readonly isFixed: boolean;
}

/** Returns the base URL of links, before the context path; undefined if the setting has no effect. */
export function findLinkBase(values: SettingValues, { contextPath, isFixed }: LinkOptions): string | undefined {
  const address = values[PATH];
  return isFixed || typeof address !== 'string' ? undefined : removeContextPath(address, contextPath);
}

function removeContextPath(address: string, contextPath: string): string | undefined {
  const url = URL.parse(address);
  const path = url?.pathname.replace(/\/+$/, '') ?? '';
  return url !== null && path.endsWith(contextPath)
    ? `${url.origin}${path.slice(0, path.length - contextPath.length)}`
    : undefined;
}

/** Returns warnings for a client that sets the URL. */
export function collectProxyWarnings(draft: SettingsDraft, { contextPath, isFixed }: LinkOptions): readonly string[] {
  const sent = draft.find(({ path }) => path === PATH)?.value;
  if (typeof sent !== 'string' || sent === '') {
    return [];
  }
  if (isFixed) {
    return ['proxyBaseUrl is stored but has no effect: the option --public-url takes precedence.'];
  }
  return removeContextPath(sent, contextPath) === undefined
    ? [`proxyBaseUrl is stored but has no effect: the URL must end with ${contextPath}.`]
    : [];
}
