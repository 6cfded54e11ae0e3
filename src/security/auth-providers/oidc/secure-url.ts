/** Decides which addresses of identity providers are safe against changes on the way. */
/** Plain HTTP is for identity providers on this machine only. */
export function isSecureUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback = url !== undefined && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  return (
    url !== undefined && url.username === '' && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback))
  );
}
