/** The languages and versions of styles, with their media types and file extensions. */
import type { SldVersion } from '../sld/document/sld-version.ts';

export const styleLanguages = ['sld', 'css', 'mbstyle', 'ysld'] as const;

export type StyleLanguage = (typeof styleLanguages)[number];

export interface StyleFormat {
  readonly language: StyleLanguage;
  /** Languages other than SLD have only version 1.0.0. */
  readonly version: SldVersion;
}

export const sld10: StyleFormat = Object.freeze({ language: 'sld', version: '1.0.0' });
export const sld11: StyleFormat = Object.freeze({ language: 'sld', version: '1.1.0' });
export const css: StyleFormat = Object.freeze({ language: 'css', version: '1.0.0' });
export const ysld: StyleFormat = Object.freeze({ language: 'ysld', version: '1.0.0' });
/** MapLibre and Mapbox styles. */
export const mbStyle: StyleFormat = Object.freeze({ language: 'mbstyle', version: '1.0.0' });

/**
 * A vendor media type such as `application/vnd.example.geocss+css`, limited to the characters of a media type name.
 */
const vendorCssPattern = /^application\/vnd\.[a-z0-9!#$&^_-]+\.geocss\+css$/;
const vendorMbStylePattern = /^application\/vnd\.[a-z0-9!#$&^_-]+\.mbstyle\+json$/;
const vendorYsldPattern = /^application\/vnd\.[a-z0-9!#$&^_-]+\.ysld\+yaml$/;

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
    case 'application/vnd.mapbox.style+json':
    case 'application/vnd.maplibre.style+json':
      return mbStyle;
    default:
      if (vendorMbStylePattern.test(mediaType)) return mbStyle;
      if (vendorYsldPattern.test(mediaType)) return ysld;
      return vendorCssPattern.test(mediaType) ? css : undefined;
  }
}

/** Returns the charset parameter of a Content-Type in lower case. */
export function parseCharset(contentType: string): string | undefined {
  return findMediaTypeParameter(contentType, 'charset')?.toLowerCase();
}

/** Returns the media type for responses and requests. */
export function getStyleMediaType(format: StyleFormat): string {
  switch (format.language) {
    case 'css':
      return 'application/vnd.geoserver.geocss+css';
    case 'mbstyle':
      return 'application/vnd.geoserver.mbstyle+json';
    case 'ysld':
      return 'application/vnd.geoserver.ysld+yaml';
    case 'sld':
      return format.version === '1.1.0' ? 'application/vnd.ogc.se+xml' : 'application/vnd.ogc.sld+xml';
  }
}

const languageNames: Readonly<Record<StyleLanguage, string>> = {
  sld: 'SLD',
  css: 'CSS',
  mbstyle: 'MapLibre style JSON',
  ysld: 'YSLD',
};

/** Returns the name for messages: `SLD`, `CSS`, `MapLibre style JSON`. */
export function getLanguageName(language: StyleLanguage): string {
  return languageNames[language];
}

/** Returns the name for messages: `SLD 1.1.0`, `CSS`. */
export function getStyleFormatName({ language, version }: StyleFormat): string {
  return language === 'sld' ? `SLD ${version}` : languageNames[language];
}

const extensions: Readonly<Record<StyleLanguage, string>> = { sld: 'sld', css: 'css', mbstyle: 'json', ysld: 'yaml' };

/** Returns the extension of files in the language, without a dot. */
export function getStyleExtension(language: StyleLanguage): string {
  return extensions[language];
}

/** Returns the language of a file by its extension, in any case. */
export function findStyleLanguage(fileName: string): StyleLanguage | undefined {
  const key = fileName.toLowerCase();
  return key.endsWith('.ysld') ? 'ysld' : styleLanguages.find((language) => key.endsWith(`.${extensions[language]}`));
}

export function isSameFormat(one: StyleFormat, other: StyleFormat): boolean {
  return one.language === other.language && (one.language !== 'sld' || one.version === other.version);
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
