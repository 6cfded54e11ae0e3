/**
 * Locations of raster data on other servers: URLs, also in the notation `cog://https://…` of other servers, and objects
 * (`s3://bucket/key`).
 */

/** Whether a text is a URL or an object, without another notation. */
export function isRemoteUrl(text: string): boolean {
  return /^(?:https?|s3):\/\/./i.test(text);
}

/** Returns the URL of remote data; undefined for a path or a `file:` URL. */
export function parseRemoteUrl(location: string): string | undefined {
  const [, url] = /^(?:cog:\/\/)?((?:https?|s3):\/\/.+)$/is.exec(location.trim()) ?? [];
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
