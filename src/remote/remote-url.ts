/** Locations of raster data on other servers: URLs, also in the notation `cog://https://…` of other servers. */

/** Returns the URL of remote data; undefined for a path or a `file:` URL. */
export function parseRemoteUrl(location: string): string | undefined {
  const [, url] = /^(?:cog:\/\/)?(https?:\/\/.+)$/is.exec(location.trim()) ?? [];
  return url;
}

/** Returns the last segment of the path, without query: a query can contain a token. */
export function getRemoteFileName(url: string): string {
  const segment =
    URL.parse(url)
      ?.pathname.split('/')
      .findLast((each) => each !== '') ?? '';
  try {
    return decodeURIComponent(segment).replaceAll(/[/\\\p{Cc}]/gu, '_');
  } catch {
    return segment;
  }
}
