/** Classifies entries as files and folders, and rejects all other types. */

export interface EntryTraits {
  readonly nameIsFolder: boolean;
  readonly externalFileAttributes: number;
  readonly generalPurposeBitFlag: number;
  readonly compressionMethod: number;
  readonly uncompressedSize: number;
  readonly extraFields: readonly { readonly id: number; readonly data: Buffer }[];
}

export type EntryKind = { readonly kind: 'file' | 'folder' } | { readonly objection: string };

const TYPE_BITS = 0o170000;
const FILE = 0o100000;
const FOLDER = 0o040000;
const LINK = 0o120000;

/** MS-DOS and NTFS attributes: a volume label, a device, and a reparse point (a link on Windows). */
const DOS_VOLUME = 0x08;
const DOS_DEVICE = 0x40;
const DOS_REPARSE_POINT = 0x400;

/** Extra fields of old Unix archivers that contain the target of a symbolic or hard link after this many bytes. */
const linkFields: ReadonlyMap<number, number> = new Map([
  [0x000d, 12],
  [0x756e, 14],
]);

const STORED = 0;
const DEFLATED = 8;

export function classifyEntry(entry: EntryTraits): EntryKind {
  const flags = entry.generalPurposeBitFlag;
  if ((flags & 0x2041) !== 0) {
    return { objection: 'it is encrypted' };
  }
  if ((flags & 0x20) !== 0) {
    return { objection: 'it is a patch to another file' };
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    return { objection: `its compression method ${entry.compressionMethod} is not supported; use stored or deflated` };
  }
  const type = (entry.externalFileAttributes >>> 16) & TYPE_BITS;
  if (type === LINK || hasLinkTarget(entry) || (entry.externalFileAttributes & DOS_REPARSE_POINT) !== 0) {
    return { objection: 'it is a link' };
  }
  const isSpecial = type !== 0 && type !== FILE && type !== FOLDER;
  if (isSpecial || (entry.externalFileAttributes & (DOS_VOLUME | DOS_DEVICE)) !== 0) {
    return { objection: 'it is neither a file nor a folder' };
  }
  if ((type === FOLDER && !entry.nameIsFolder) || (type === FILE && entry.nameIsFolder)) {
    return { objection: 'its name and its type do not match' };
  }
  if (entry.nameIsFolder && entry.uncompressedSize > 0) {
    return { objection: 'it is a folder with content' };
  }
  return { kind: entry.nameIsFolder ? 'folder' : 'file' };
}

function hasLinkTarget({ extraFields }: EntryTraits): boolean {
  return extraFields.some(({ id, data }) => data.length > (linkFields.get(id) ?? Number.POSITIVE_INFINITY));
}
