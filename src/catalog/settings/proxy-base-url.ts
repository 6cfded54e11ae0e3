/** What the address of a proxy in front of the server makes of the links in replies. */
import type { SettingsDraft, SettingValues } from '../kinds/setting.ts';

const PATH = 'settings.proxyBaseUrl';

/** How links are made where nobody has set an address. */
export interface LinkOptions {
  /** The path before /rest, which the address of a proxy has to end in. */
  readonly contextPath: string;
  /** Whether the operator has said what links begin with, which wins. */
  readonly isFixed: boolean;
}

/** What links begin with, before the context path; undefined where that is as if nothing were set. */
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

/** What whoever sets it should know. */
export function collectProxyWarnings(draft: SettingsDraft, { contextPath, isFixed }: LinkOptions): readonly string[] {
  const sent = draft.find(({ path }) => path === PATH)?.value;
  if (typeof sent !== 'string' || sent === '') {
    return [];
  }
  if (isFixed) {
    return ['proxyBaseUrl is kept without effect: the server was started with --public-url, which wins.'];
  }
  return removeContextPath(sent, contextPath) === undefined
    ? [`proxyBaseUrl is kept without effect: links need an address that ends in ${contextPath}.`]
    : [];
}
