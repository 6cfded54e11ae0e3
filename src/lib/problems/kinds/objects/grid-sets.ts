/** Problems with grid sets and tile settings. */
import { defineProblemKind } from '../kind.ts';

export const gridSetProblems = {
  'grid-set-unknown': defineProblemKind(
    404,
    'No grid set has that name.',
    (d: { name: string }) => `No such grid set: '${d.name}'.`,
  ),
  'grid-set-exists': defineProblemKind(
    409,
    'A grid set of that name already exists.',
    (d: { name: string }) => `A grid set named '${d.name}' already exists.`,
  ),
  'grid-set-built-in': defineProblemKind(
    409,
    'Built-in grid sets cannot be changed or deleted.',
    (d: { name: string }) =>
      `The grid set '${d.name}' is built in and cannot be changed or deleted. Create a grid set with another name.`,
  ),
  'grid-set-in-use': defineProblemKind(
    409,
    'A grid set cannot be deleted while it is in use.',
    (d: { name: string; users: readonly string[] }) =>
      `The grid set '${d.name}' is in use by ${d.users.join(', ')}. Remove it there first.`,
  ),
  'grid-set-renamed': defineProblemKind(
    400,
    'The name of a grid set cannot be changed, because clients request tiles by it.',
    (d: { name: string; sent: string }) =>
      `The document names the grid set '${d.sent}', but the path names '${d.name}'. Grid sets cannot be renamed: create a new one and delete this one.`,
  ),
  'tile-layer-renamed': defineProblemKind(
    400,
    'The document of tile settings names another layer than its path.',
    (d: { name: string; sent: string }) =>
      `The document names the layer '${d.sent}', but the path names '${d.name}'. Name the same layer, or omit the name.`,
  ),
} as const;
