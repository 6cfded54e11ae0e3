/** Whether an entry is a file or a folder, and the refusal of everything else that archives can hold. */

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

/** MS-DOS and NTFS attributes: a volume label, a device, and a reparse point, which is what Windows calls its links. */
const DOS_VOLUME = 0x08;
const DOS_DEVICE = 0x40;
const DOS_REPARSE_POINT = 0x400;

/** Fields of old Unix archivers that can hold the target of a link, symbolic or hard, behind so many other bytes. */
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
    return { objection: `it is packed with method ${entry.compressionMethod}, but only stored and deflated are read` };
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
    return { objection: 'its name and its type contradict each other' };
  }
  if (entry.nameIsFolder && entry.uncompressedSize > 0) {
    return { objection: 'it is a folder with content' };
  }
  return { kind: entry.nameIsFolder ? 'folder' : 'file' };
}

function hasLinkTarget({ extraFields }: EntryTraits): boolean {
  return extraFields.some(({ id, data }) => data.length > (linkFields.get(id) ?? Number.POSITIVE_INFINITY));
}
