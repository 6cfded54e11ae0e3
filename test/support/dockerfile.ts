/** Reads a Dockerfile into stages and instructions, as far as ours use them. */

export interface Instruction {
  readonly name: string;
  /** `--from=build` is `{ from: 'build' }`. */
  readonly flags: Readonly<Record<string, string>>;
  /** The rest of the instruction, without flags. */
  readonly text: string;
}

export interface Stage {
  readonly image: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

export function parseDockerfile(text: string): readonly Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(?:#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const stages: { image: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [, image = '', stage] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      stages.push({ image, name: stage, instructions: [] });
    } else {
      stages.at(-1)?.instructions.push({ name, ...splitFlags(rest) });
    }
  }
  return stages;
}

function splitFlags(rest: string): Pick<Instruction, 'flags' | 'text'> {
  const words = rest.split(' ');
  const count = words.findIndex((word) => !word.startsWith('--'));
  const flags = words.slice(0, count).map((word) => word.slice(2).split('=', 2) as [string, string]);
  return { flags: Object.fromEntries(flags), text: words.slice(count).join(' ') };
}

export function listInstructions({ instructions }: Stage, name: string): readonly Instruction[] {
  return instructions.filter((each) => each.name === name);
}

/** The only instruction of that name. */
export function readInstruction(stage: Stage, name: string): Instruction {
  const [only, ...others] = listInstructions(stage, name);
  if (only === undefined || others.length > 0) throw new Error(`Expected exactly one ${name}.`);
  return only;
}

/** The values of all ENV, LABEL or ARG instructions. */
export function readPairs(stage: Stage, name: 'ENV' | 'LABEL' | 'ARG'): Readonly<Record<string, string>> {
  const pairs = listInstructions(stage, name).flatMap(({ text }) => [...text.matchAll(/([\w.]+)=("[^"]*"|\S+)/g)]);
  return Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value.replaceAll('"', '')]));
}

/** The words of an instruction in JSON form, which runs without a shell. */
export function parseCommand(text: string): readonly string[] {
  return JSON.parse(text) as readonly string[];
}
