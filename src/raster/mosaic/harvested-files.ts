/** Selects the files that can be granules, by their names and the definition. */
import { basename, extname, relative, sep } from 'node:path';
import type { MosaicDefinition } from './definition.ts';
import { isDefinitionFile } from './read-definition.ts';

/** A file that has passed the path gate, or a remote file. */
export interface HarvestFile {
  /** Or a URL. */
  readonly path: string;
  /** Relative to the harvested folder, with slashes. */
  readonly name: string;
  /** The location for the index. */
  readonly location: string;
  /** What a list of remote files says about it. */
  readonly item?: ListedItem;
}

export interface ListedItem {
  /** In ISO 8601. */
  readonly time?: readonly [start: string, end: string];
  /** By property name; those without an attribute of the index are ignored. */
  readonly values: Readonly<Record<string, string | number>>;
}

/** Extensions of companion files of granules and of foreign indexes. */
const companions = new Set(
  (
    'wkt wkb shp dbf sbn sbx shx qix lyr prj cpg fix ncx ncx2 ncx3 gbx9 properties svn-base dat lck ' +
    'wld tfw tifw tiffw tfwx pgw pngw pgwx jgw jpgw jpegw jgwx gfw gifw bpw bmpw ovr msk rrd aux idx qgz meta'
  ).split(' '),
);

/** Returns whether a file can be a granule. Hidden files and companion files are ignored silently. */
export function isCandidate(definition: MosaicDefinition, name: string): boolean {
  const file = basename(name);
  const ending = extname(file).slice(1).toLowerCase();
  if (!definition.isRecursive && name.includes('/')) return false;
  if (name.split('/').some((part) => part.startsWith('.'))) return false;
  if (companions.has(ending) || /^error\.txt(?:\.lck)?$/i.test(file) || /\.aux\.xml$/i.test(file)) return false;
  return !isDefinitionFile(name) && getMatcher(definition.wildcard)(file);
}

/** Returns whether the file contains the footprints of all images. */
export function isCommonFootprints(name: string): boolean {
  return /^footprints\.(?:shp|properties)$/i.test(basename(name));
}

const wildcards = new Map<string, (name: string) => boolean>();

/** `*` matches anything and `?` one character; `*.*` matches any name, even without a dot. */
function getMatcher(wildcard: string): (name: string) => boolean {
  const known = wildcards.get(wildcard);
  if (known !== undefined) return known;
  const made = wildcard === '*.*' || wildcard === '*' ? () => true : createMatcher(wildcard.toLowerCase());
  wildcards.clear();
  wildcards.set(wildcard, made);
  return made;
}

/** Hand-written: a regular expression with a dozen `*` could take exponential time. */
function createMatcher(wildcard: string): (name: string) => boolean {
  const signs = [...wildcard];
  return (name) => {
    const text = [...name.toLowerCase()];
    let [at, sign, star, resume] = [0, 0, -1, 0];
    while (at < text.length) {
      if (signs[sign] === '*') {
        star = sign;
        resume = at;
        sign += 1;
      } else if (signs[sign] === '?' || signs[sign] === text[at]) {
        at += 1;
        sign += 1;
      } else if (star >= 0) {
        resume += 1;
        at = resume;
        sign = star + 1;
      } else {
        return false;
      }
    }
    while (signs[sign] === '*') sign += 1;
    return sign === signs.length;
  };
}

/**
 * Returns the path relative to the folder of the mosaic, with slashes; the absolute path if the definition requires it
 * or the file is elsewhere.
 */
export function formatLocation(definition: MosaicDefinition, mosaicFolder: string | undefined, path: string): string {
  if (definition.isAbsolutePath || mosaicFolder === undefined) return path;
  const inside = relative(mosaicFolder, path);
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) ? path : inside.split(sep).join('/');
}
