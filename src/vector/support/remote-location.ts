/** The location of a file in connection parameters: a path, or the URL of a file on another server. */
import { getRemoteFileName, parseRemoteUrl } from '../../remote/remote-url.ts';

/** Returns why a location is invalid; undefined if it is a path or a URL that names a file. */
export function findLocationFault(location: string): string | undefined {
  const url = parseRemoteUrl(location);
  if (url !== undefined) return getRemoteFileName(url) === '' ? 'its URL must end with the name of a file' : undefined;
  return /^[a-z][a-z0-9+.-]+:/i.test(location) && !/^file:/i.test(location)
    ? 'it must be a path, a file: URL or an https: URL'
    : undefined;
}
