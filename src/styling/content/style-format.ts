/** The languages and versions of styles, with their media types and file extensions. */
import type { SldVersion } from '../sld/document/sld-version.ts';

export type StyleLanguage = 'sld' | 'css';

export interface StyleFormat {
  readonly language: StyleLanguage;
  /** CSS has only version 1.0.0. */
  readonly version: SldVersion;
}

export const sld10: StyleFormat = Object.freeze({ language: 'sld', version: '1.0.0' });
export const sld11: StyleFormat = Object.freeze({ language: 'sld', version: '1.1.0' });
export const css: StyleFormat = Object.freeze({ language: 'css', version: '1.0.0' });

/**
 * A vendor media type such as `application/vnd.example.geocss+css`, limited to the characters of a media type name.
 */
const vendorCssPattern = /^application\/vnd\.[a-z0-9!#$&^_-]+\.geocss\+css$/;

/** Returns the format of a Content-Type, ignoring case and parameters; undefined if it is not a style format. */
export function findStyleFormat(contentType: string): StyleFormat | undefined {
  const mediaType = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const version = findMediaTypeParameter(contentType, 'version');
  switch (mediaType) {
    case 'application/vnd.ogc.sld+xml':
      return version === undefined || isVersion(version, '1.0.0')
        ? sld10
        : isVersion(version, '1.1.0')
          ? sld11
          : undefined;
    case 'application/vnd.ogc.se+xml':
      return version === undefined || isVersion(version, '1.1.0') ? sld11 : undefined;
    case 'text/css':
      return css;
    default:
      return vendorCssPattern.test(mediaType) ? css : undefined;
  }
}

/** Returns the charset parameter of a Content-Type in lower case. */
export function parseCharset(contentType: string): string | undefined {
  return findMediaTypeParameter(contentType, 'charset')?.toLowerCase();
}

/** Returns the media type for responses and requests. */
export function getStyleMediaType(format: StyleFormat): string {
  if (format.language === 'css') return 'application/vnd.geoserver.geocss+css';
  return format.version === '1.1.0' ? 'application/vnd.ogc.se+xml' : 'application/vnd.ogc.sld+xml';
}

/** Returns the name for messages: `SLD 1.1.0`, `CSS`. */
export function getStyleFormatName({ language, version }: StyleFormat): string {
  return language === 'css' ? 'CSS' : `SLD ${version}`;
}

export function isSameFormat(one: StyleFormat, other: StyleFormat): boolean {
  return one.language === other.language && (one.language === 'css' || one.version === other.version);
}

/** Accepts `1.1` for `1.1.0`. */
function isVersion(text: string, version: SldVersion): boolean {
  return text === version || `${text}.0` === version;
}

function findMediaTypeParameter(contentType: string, name: string): string | undefined {
  for (const parameter of contentType.split(';').slice(1)) {
    const [key = '', value = ''] = parameter.split('=', 2).map((part) => part.trim());
    const bare = value.replace(/^(["'])(.*)\1$/, '$2').trim();
    if (key.toLowerCase() === name && bare !== '') return bare;
  }
  return undefined;
}
