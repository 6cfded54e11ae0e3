/** Reads the revision of a source tree from its `.git` without running git. */
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';

export interface GitHead {
  readonly revision: string;
  /** The time of the checkout; absent without a reflog. */
  readonly sinceMs?: number;
}

/** Undefined when the root is not the top of a work tree, or has no commit yet. */
export async function readGitHead(root: string): Promise<GitHead | undefined> {
  const gitDir = await findGitDir(root);
  const head = gitDir && (await readTextFile(join(gitDir, 'HEAD')))?.trim();
  if (gitDir === undefined || head === undefined) {
    return undefined;
  }
  const branch = /^ref: (refs\/[^\0]+)$/.exec(head)?.[1];
  const revision = branch === undefined ? head : await findBranchRevision(gitDir, branch);
  if (revision === undefined || !isRevision(revision)) {
    return undefined;
  }
  const sinceMs = await readLastMoveMs(gitDir, revision);
  return { revision, ...(sinceMs === undefined ? {} : { sinceMs }) };
}

/** `.git` is a folder, or in a linked work tree a file with the path of one. */
async function findGitDir(root: string): Promise<string | undefined> {
  const place = join(root, '.git');
  const found = await stat(place).catch(() => undefined);
  if (found?.isDirectory()) {
    return place;
  }
  const target = found?.isFile() ? /^gitdir: (.+)$/m.exec((await readTextFile(place)) ?? '')?.[1] : undefined;
  return target === undefined ? undefined : resolve(root, target.trim());
}

async function findBranchRevision(gitDir: string, branch: string): Promise<string | undefined> {
  if (branch.split('/').includes('..')) {
    return undefined;
  }
  for (const directory of [gitDir, await readCommonDir(gitDir)]) {
    const loose = (await readTextFile(join(directory, branch)))?.trim();
    if (loose !== undefined) {
      return loose;
    }
    const packed = (await readTextFile(join(directory, 'packed-refs'))) ?? '';
    const line = packed.split('\n').find((each) => each.endsWith(` ${branch}`));
    if (line !== undefined) {
      return line.split(' ', 1)[0];
    }
  }
  return undefined;
}

/** Linked work trees store their branches in the main work tree. */
async function readCommonDir(gitDir: string): Promise<string> {
  const named = (await readTextFile(join(gitDir, 'commondir')))?.trim() ?? '.';
  return isAbsolute(named) ? named : join(gitDir, named);
}

/** The last line of the reflog of HEAD: `<from> <to> <who> <seconds> <zone>\t<what>`. */
async function readLastMoveMs(gitDir: string, revision: string): Promise<number | undefined> {
  const last = (await readTextFile(join(gitDir, 'logs', 'HEAD')))?.trimEnd().split('\n').at(-1) ?? '';
  const [before = ''] = last.split('\t', 1);
  const seconds = / (\d{1,12}) [+-]\d{4}$/.exec(before)?.[1];
  return seconds === undefined || last.split(' ')[1] !== revision ? undefined : Number(seconds) * 1_000;
}

function isRevision(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

function readTextFile(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
