/** Runs the image of the Dockerfile without a container engine: its files on a read-only root, as its user. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import {
  listInstructions,
  parseCommand,
  parseDockerfile,
  readInstruction,
  readPairs,
  type Stage,
} from '../support/dockerfile.ts';
import { listProductionFolders } from '../support/package-registry.ts';
import { projectFolder } from './server-process.ts';

type Command = readonly [program: string, ...args: string[]];

export interface ContainerRoot {
  readonly variables: Readonly<Record<string, string>>;
  /** Starts the image with these variables. The process that it starts becomes the server. */
  startCommand(variables: Readonly<Record<string, string>>): Command;
  /** Runs the health check of the image beside the server. */
  checkHealth(pid: number, variables: Readonly<Record<string, string>>): Promise<string>;
  /** Runs a command as root inside the file system of the server. */
  runAsRoot(pid: number, ...command: readonly string[]): Promise<string>;
}

/**
 * The files of the machine stand for those of the base image. Only /data, /tmp, /proc and /dev are writable, as in a
 * container with a read-only root.
 */
const mountScript = `
set -e
layout=$1 user=$2 group=$3 node=$4; shift 4
root=$layout/root
mount -t tmpfs tmpfs "$root"
for each in /usr /etc /bin /sbin /lib /lib64; do
  if [ -L "$each" ]; then cp --no-dereference "$each" "$root$each"
  elif [ -d "$each" ]; then mkdir "$root$each"; mount --options bind,ro "$each" "$root$each"; fi
done
mkdir "$root/app" "$root/data" "$root/tmp" "$root/proc" "$root/dev"
mount --bind "$layout/bin" "$root/usr/local/bin"
mount --options bind,ro "$node" "$root/usr/local/bin/node"
mount --options remount,bind,ro "$root/usr/local/bin"
mount --options bind,ro "$layout/app" "$root/app"
mount --bind "$layout/data" "$root/data"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --options remount,ro "$root"
cd /
exec chroot "$root" setpriv --reuid="$user" --regid="$group" --clear-groups --no-new-privs --bounding-set=-all "$@"
`;

/** `built` is the folder that the build stage leaves, without the packages. */
export async function createContainerRoot(folder: string, built: string): Promise<ContainerRoot> {
  const image = parseDockerfile(await readFile(join(projectFolder, 'Dockerfile'), 'utf8')).at(-1);
  if (image === undefined) throw new Error('The Dockerfile has no stages.');
  for (const name of ['root', 'app', 'bin', 'data']) await mkdir(join(folder, name));
  await copyApp(image, built, folder);
  await linkCommand(image, folder);
  const [user = '', group = ''] = readInstruction(image, 'USER').text.split(':');
  await promisify(execFile)('chown', [`${user}:${group}`, join(folder, 'data')]);
  const variables = readPairs(image, 'ENV');
  const inside = (further: Readonly<Record<string, string>>) => {
    const all = { PATH: '/usr/local/bin:/usr/bin:/bin', ...variables, ...further };
    return ['env', '-i', ...Object.entries(all).map(([name, value]) => `${name}=${value}`)];
  };
  const enter = async (pid: number, ...words: readonly string[]) =>
    (await promisify(execFile)('nsenter', [`--target=${pid}`, '--mount', '--root', '--wd=/', ...words])).stdout;
  const start = ['ENTRYPOINT', 'CMD'].flatMap((name) => parseCommand(readInstruction(image, name).text));
  const check = parseCommand(readInstruction(image, 'HEALTHCHECK').text.replace(/^CMD /, ''));
  return {
    variables,
    startCommand: (further) => [
      'unshare',
      '--mount',
      ...['bash', '-c', mountScript, 'container', folder, user, group, process.execPath],
      ...inside(further),
      ...start,
    ],
    checkHealth: (pid, further) => enter(pid, `--setuid=${user}`, `--setgid=${group}`, ...inside(further), ...check),
    runAsRoot: (pid, ...command) => enter(pid, ...command),
  };
}

/** Copies what the last stage copies from the build to /app, with the packages of a production install. */
async function copyApp(image: Stage, built: string, folder: string): Promise<void> {
  for (const { text } of listInstructions(image, 'COPY')) {
    const words = text.split(' ');
    const target = words.pop() ?? '';
    for (const source of words) {
      const name = source.replace(/^\/build\//, '');
      const place = join(folder, target, target.endsWith('/') ? name : '');
      if (name !== 'node_modules') await cp(join(built, name), place, { recursive: true });
      else await copyPackages(place);
    }
  }
}

/** Links the files if the folders are on one file system. */
async function copyPackages(target: string): Promise<void> {
  const root = join(projectFolder, 'node_modules');
  for (const source of await listProductionFolders(projectFolder)) {
    const name = relative(root, source);
    // Copied with the package that contains it.
    if (name.includes('node_modules')) continue;
    const place = join(target, name);
    await mkdir(dirname(place), { recursive: true });
    const copy = 'cp --archive --link "$1" "$2" 2>/dev/null || cp --archive "$1" "$2"';
    await promisify(execFile)('sh', ['-c', copy, 'copy', source, place]);
  }
}

/** The command that the last stage links into the PATH. */
async function linkCommand(image: Stage, folder: string): Promise<void> {
  const run = readInstruction(image, 'RUN').text;
  const [, target = '', link = ''] = /ln --symbolic (\S+) \/usr\/local\/bin\/(\S+)/.exec(run) ?? [];
  await symlink(target, join(folder, 'bin', link));
  await writeFile(join(folder, 'bin', 'node'), '');
}
