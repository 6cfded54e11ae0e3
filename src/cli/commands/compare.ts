/** The command that compares two servers. */
import { type Command, CommandError, type Task } from '../client/command.ts';
import type { ServerAddress } from '../compare/http/compared-server.ts';
import { type CheckName, type ComparisonReport, checkNames, REPORT_FORMAT } from '../compare/model/report.ts';

const EXIT_DIFFERENT = 2;

const DEFAULT_TOLERANCE_PERCENT = 5;

export const compareCommand: Command = {
  usage:
    'OLD NEW [--layer NAME]... [--layers FILE] [--check NAME]... [--tolerance PERCENT] [--report FILE] [--output DIR] ' +
    '[--old-user NAME --old-password-file FILE] [--new-user NAME --new-password-file FILE]',
  summary:
    'Compares what two servers publish: capabilities, schemas, counts, sample features, maps and feature info. OLD and NEW ' +
    'are addresses such as https://maps.example/geoserver. Exit code 2 if there are differences.',
  operands: ['OLD', 'NEW'],
  options: {
    layer: 'texts',
    layers: 'text',
    check: 'texts',
    tolerance: 'text',
    report: 'text',
    output: 'text',
    'old-user': 'text',
    'old-password-file': 'text',
    'new-user': 'text',
    'new-password-file': 'text',
  },
  isPublic: true,
  async run(task) {
    const { world, text, flag } = task;
    rejectServerOptions(task);
    const [checks, tolerance] = [readChecks(task), readTolerance(text('tolerance'))];
    const [old, renewed] = [await readAddress(task, 'old'), await readAddress(task, 'new')];
    const layers = await readLayerNames(task);
    const output = await findOutput(task);
    const { createComparedServer } = await import('../compare/http/compared-server.ts');
    const { compareServers } = await import('../compare/compare-servers.ts');
    const { createPictureFolder } = await import('../compare/report/picture-folder.ts');
    const { summarize } = await import('../compare/model/report.ts');
    const comparison = await compareServers({
      old: createComparedServer(old),
      new: createComparedServer(renewed),
      ...{ checks, layers, tolerance },
      keepPictures: output === undefined ? undefined : createPictureFolder(output, world),
    });
    const report: ComparisonReport = {
      ...{ format: REPORT_FORMAT, old: old.url.href, new: renewed.url.href, checks, tolerance },
      ...comparison,
      summary: summarize(comparison.services, comparison.layers),
    };
    await writeReport(task, report, output);
    const { formatTable } = await import('../compare/report/format-table.ts');
    world.print(flag('json') ? formatJson(report) : formatTable(report));
    const isEqual = [...report.services, ...report.layers].every(({ status }) => status !== 'different');
    return isEqual ? 0 : EXIT_DIFFERENT;
  },
};

/** The options of other commands name one server; ignoring them would compare other servers than expected. */
function rejectServerOptions({ text }: Task): void {
  for (const option of ['url', 'user', 'password-file']) {
    if (text(option) === undefined) continue;
    throw new CommandError(
      `--${option} has no effect on compare. Pass the addresses OLD and NEW, and credentials with --old-user, --old-password-file, --new-user and --new-password-file.`,
    );
  }
}

function readChecks({ texts }: Task): readonly CheckName[] {
  const wanted = texts('check');
  for (const name of wanted) {
    if (!checkNames.some((check) => check === name)) {
      throw new CommandError(`Invalid --check '${name}'. Use ${checkNames.join(', ')}.`);
    }
  }
  return wanted.length === 0 ? checkNames : checkNames.filter((check) => wanted.includes(check));
}

function readTolerance(text: string | undefined): number {
  if (text === undefined) return DEFAULT_TOLERANCE_PERCENT;
  const percent = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (percent >= 0 && percent <= 100) return percent;
  throw new CommandError(`Invalid --tolerance '${text}'. Use a number of percent between 0 and 100.`);
}

async function readAddress({ operand, text, world }: Task, side: 'old' | 'new'): Promise<ServerAddress> {
  const name = side.toUpperCase();
  const given = operand(name);
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new CommandError(
      `Invalid ${name} '${given}'. Use the http or https address of a server, such as https://maps.example/geoserver.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new CommandError(
      `${name} contains credentials, which other users of the machine can read. Use --${side}-user and --${side}-password-file.`,
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new CommandError(`Invalid ${name} '${given}'. The address must not contain a query or a fragment.`);
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  const [user, file] = [text(`${side}-user`), text(`${side}-password-file`)];
  if ((user === undefined) !== (file === undefined)) {
    throw new CommandError(`--${side}-user and --${side}-password-file belong together.`);
  }
  if (user === undefined || file === undefined) return { url, login: undefined };
  return { url, login: { user, password: (await world.readFile(file)).toString().replace(/\r?\n$/, '') } };
}

/** Returns undefined for all layers. */
async function readLayerNames({ texts, text, world }: Task): Promise<readonly string[] | undefined> {
  const file = text('layers');
  const listed = file === undefined ? [] : (await world.readFile(file)).toString().split(/\r?\n/);
  const names = new Set([...texts('layer'), ...listed.map((line) => line.trim()).filter((line) => line !== '')]);
  if (names.size === 0 && file !== undefined) throw new CommandError(`'${file}' contains no names of layers.`);
  return names.size === 0 ? undefined : [...names];
}

/** Returns the directory without a slash at the end. */
async function findOutput({ text, world }: Task): Promise<string | undefined> {
  const given = text('output');
  if (given === undefined) return undefined;
  // Pictures of an earlier comparison would remain beside those of this one.
  if (((await world.listFiles(given)) ?? []).length > 0) {
    throw new CommandError(`The directory '${given}' is not empty. Use another one for --output.`);
  }
  return given.replace(/(?<=.)\/+$/, '');
}

async function writeReport({ world, text }: Task, report: ComparisonReport, output: string | undefined): Promise<void> {
  const file = text('report');
  if (file !== undefined) await world.writeFile(file, streamText(formatJson(report)));
  if (output === undefined) return;
  const { formatPage } = await import('../compare/report/format-page.ts');
  await world.writeFile(`${output}/report.json`, streamText(formatJson(report)));
  await world.writeFile(`${output}/index.html`, streamText(formatPage(report)));
}

function formatJson(report: ComparisonReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

async function* streamText(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
