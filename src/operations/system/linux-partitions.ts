/** Lists the file systems that contain data, with their usage. */
import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Partition } from './sample.ts';

interface Mount {
  readonly device: string;
  readonly mountPoint: string;
}

/** File system types that are in memory, expose the kernel, or are always full. */
const virtualFileSystems = new Set(
  `autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs erofs fusectl hugetlbfs iso9660 mqueue
   nsfs proc pstore ramfs rpc_pipefs securityfs selinuxfs squashfs sysfs tmpfs tracefs`.split(/\s+/),
);

/** A network share without its server never responds; a timeout keeps it from blocking the others. */
const DEADLINE_MS = 1_000;

/** Each pending call occupies one of the few threads that all file access shares. */
const MAX_UNANSWERED = 2;

export class PartitionReader {
  readonly #root: string;
  readonly #unanswered = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  async read(): Promise<readonly Partition[]> {
    const table = await readFile(join(this.#root, 'proc/self/mountinfo'), 'utf8').catch(() => '');
    const partitions: Partition[] = [];
    for (const mount of parseDataMounts(table)) {
      const partition = await this.#measure(mount.mountPoint);
      if (partition !== undefined) {
        partitions.push(partition);
      }
    }
    return partitions;
  }

  async #measure(mountPoint: string): Promise<Partition | undefined> {
    if (this.#unanswered.has(mountPoint) || this.#unanswered.size >= MAX_UNANSWERED) {
      return undefined;
    }
    this.#unanswered.add(mountPoint);
    const answer = measurePartition(mountPoint).finally(() => this.#unanswered.delete(mountPoint));
    return Promise.race([answer, wait(DEADLINE_MS, undefined, { ref: false })]);
  }
}

/** Inaccessible mounts and those without blocks are omitted. */
async function measurePartition(mountPoint: string): Promise<Partition | undefined> {
  const found = await statfs(mountPoint).catch(() => undefined);
  return found === undefined || found.blocks === 0
    ? undefined
    : {
        mountPoint,
        totalBytes: found.blocks * found.bsize,
        usedBytes: (found.blocks - found.bfree) * found.bsize,
        freeBytes: found.bavail * found.bsize,
      };
}

/** One mount per device, at its shortest path: containers mount single files of one device in many places. */
export function parseDataMounts(mountinfo: string): readonly Mount[] {
  const byDevice = new Map<string, Mount>();
  for (const line of mountinfo.split('\n')) {
    const mount = parseMount(line);
    const known = mount && byDevice.get(mount.device);
    if (mount !== undefined && (known === undefined || mount.mountPoint.length < known.mountPoint.length)) {
      byDevice.set(mount.device, mount);
    }
  }
  return [...byDevice.values()].sort((a, b) => (a.mountPoint < b.mountPoint ? -1 : 1));
}

/**
 * `36 35 98:0 /mnt1 /mnt/parent rw,noatime master:1 - ext3 /dev/root rw`, with special characters as octal escapes.
 */
function parseMount(line: string): Mount | undefined {
  const [before = '', after = ''] = line.split(' - ', 2);
  const [, , device, , mountPoint] = before.split(' ');
  const [type = ''] = after.split(' ', 1);
  if (device === undefined || mountPoint === undefined || type === '' || virtualFileSystems.has(type)) {
    return undefined;
  }
  // A container host has one such mount per container, all on a disk that is already listed.
  return type === 'overlay' && mountPoint !== '/' ? undefined : { device, mountPoint: unescapeOctal(mountPoint) };
}

function unescapeOctal(text: string): string {
  const bytes = text.replace(/\\([0-7]{3})/g, (_all, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
  return bytes === text ? text : Buffer.from(bytes, 'latin1').toString('utf8');
}
