/** What the address of a proxy in front of the server makes of the links in replies. */
import type { SettingsDraft, SettingValues } from './setting.ts';

const PATH = 'settings.proxyBaseUrl';

/** How links are made where nobody has set an address. */
export interface LinkRules {
  /** The path before /rest, which the address of a proxy has to end in. */
  readonly contextPath: string;
  /** Whether the operator has said what links begin with, which wins. */
  readonly isFixed: boolean;
}

/** What links begin with, before the context path; undefined where that is as if nothing were set. */
export function linkBase(values: SettingValues, { contextPath, isFixed }: LinkRules): string | undefined {
  const address = values[PATH];
  return isFixed || typeof address !== 'string' ? undefined : withoutContext(address, contextPath);
}

function withoutContext(address: string, contextPath: string): string | undefined {
  const url = URL.parse(address);
  const path = url?.pathname.replace(/\/+$/, '') ?? '';
  return url !== null && path.endsWith(contextPath)
    ? `${url.origin}${path.slice(0, path.length - contextPath.length)}`
    : undefined;
}

/** What whoever sets it should know. */
export function warningsOfSettings(draft: SettingsDraft, { contextPath, isFixed }: LinkRules): readonly string[] {
  const sent = draft.find(({ path }) => path === PATH)?.value;
  if (typeof sent !== 'string' || sent === '') {
    return [];
  }
  if (isFixed) {
    return ['proxyBaseUrl is kept without effect: the server was started with --public-url, which wins.'];
  }
  return withoutContext(sent, contextPath) === undefined
    ? [`proxyBaseUrl is kept without effect: links need an address that ends in ${contextPath}.`]
    : [];
}
