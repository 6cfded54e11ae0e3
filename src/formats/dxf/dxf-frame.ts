/** The parts of a DXF file around its entities: header, tables, blocks and objects of release 14. */
import { formatGroups, type Group } from './dxf-groups.ts';

/** The handles of objects that every file has. */
const handles = {
  blockRecords: '1',
  layers: '2',
  styles: '3',
  lineTypes: '5',
  views: '6',
  coordinateSystems: '7',
  viewPorts: '8',
  applications: '9',
  dimensionStyles: 'A',
  root: 'C',
  groups: 'D',
  layerZero: '10',
  standardStyle: '11',
  application: '12',
  byBlock: '14',
  byLayer: '15',
  continuous: '16',
  paperSpace: '1B',
  modelSpace: '1F',
} as const;

export const MODEL_SPACE = handles.modelSpace;

/** Handles below this number belong to the frame; all later objects have their own. */
export const FIRST_HANDLE = 0x100;

/** The next free handle. It is written before the objects are counted, so it is larger than any of them. */
const HANDLE_SEED = 'FFFFFFFF';

export interface DxfLineType {
  readonly name: string;
  /** Lengths of dashes; negative lengths are gaps, and 0 is a dot. */
  readonly lengths: readonly number[];
}

export interface DxfLayer {
  readonly name: string;
  /** An AutoCAD colour number. */
  readonly color: number;
  /** The name of a line type. */
  readonly lineType: string;
}

export interface DxfTables {
  readonly lineTypes: readonly DxfLineType[];
  readonly layers: readonly DxfLayer[];
  readonly allocate: () => string;
}

const CONTINUOUS = 'CONTINUOUS';

/** Everything before the records of blocks. */
export function writeFrameHead({ lineTypes, layers, allocate }: DxfTables): string {
  return [
    formatGroups([
      ...openSection('HEADER'),
      ...([
        [9, '$ACADVER'],
        [1, 'AC1014'],
        [9, '$HANDSEED'],
        [5, HANDLE_SEED],
      ] as const),
      ...([
        [9, '$DWGCODEPAGE'],
        [3, 'ANSI_1252'],
      ] as const),
      ...endSection,
      ...openSection('CLASSES'),
      ...endSection,
      ...openSection('TABLES'),
    ]),
    formatTable('VPORT', handles.viewPorts, []),
    formatTable('LTYPE', handles.lineTypes, [
      ...(['BYBLOCK', 'BYLAYER', CONTINUOUS] as const).map((name, index) =>
        formatLineType({ name, lengths: [] }, [handles.byBlock, handles.byLayer, handles.continuous][index] ?? ''),
      ),
      ...lineTypes.map((lineType) => formatLineType(lineType, allocate())),
    ]),
    formatTable('LAYER', handles.layers, [
      formatLayer({ name: '0', color: 7, lineType: CONTINUOUS }, handles.layerZero),
      ...layers.map((layer) => formatLayer(layer, allocate())),
    ]),
    formatTable('STYLE', handles.styles, [
      formatRecord('STYLE', handles.standardStyle, handles.styles, [
        [100, 'AcDbTextStyleTableRecord'],
        ...([
          [2, 'STANDARD'],
          [70, 0],
          [40, 0],
          [41, 1],
          [50, 0],
          [71, 0],
          [42, 1],
          [3, 'txt'],
          [4, ''],
        ] as const),
      ]),
    ]),
    formatTable('VIEW', handles.views, []),
    formatTable('UCS', handles.coordinateSystems, []),
    formatTable('APPID', handles.applications, [
      formatRecord('APPID', handles.application, handles.applications, [
        [100, 'AcDbRegAppTableRecord'],
        [2, 'ACAD'],
        [70, 0],
      ]),
    ]),
    formatTable('DIMSTYLE', handles.dimensionStyles, []),
    formatGroups([
      ...([
        [0, 'TABLE'],
        [2, 'BLOCK_RECORD'],
        [5, handles.blockRecords],
        [330, 0],
      ] as const),
      [100, 'AcDbSymbolTable'],
      [70, 0],
    ]),
    formatBlockRecord('*MODEL_SPACE', handles.modelSpace),
    formatBlockRecord('*PAPER_SPACE', handles.paperSpace),
  ].join('');
}

/** From the end of the tables to the blocks of the drawing. */
export function writeBlocksHead(allocate: () => string): string {
  return [
    formatGroups([[0, 'ENDTAB'], ...endSection, ...openSection('BLOCKS')]),
    formatBlockBegin({ name: '*MODEL_SPACE', record: handles.modelSpace, layer: '0', handle: allocate() }),
    formatBlockEnd({ record: handles.modelSpace, layer: '0', handle: allocate() }),
    formatBlockBegin({ name: '*PAPER_SPACE', record: handles.paperSpace, layer: '0', handle: allocate() }),
    formatBlockEnd({ record: handles.paperSpace, layer: '0', handle: allocate() }),
  ].join('');
}

export const ENTITIES_HEAD = formatGroups([
  [0, 'ENDSEC'],
  [0, 'SECTION'],
  [2, 'ENTITIES'],
]);

export const FRAME_END = formatGroups([
  ...([
    [0, 'ENDSEC'],
    [0, 'SECTION'],
    [2, 'OBJECTS'],
  ] as const),
  ...([
    [0, 'DICTIONARY'],
    [5, handles.root],
    [330, 0],
    [100, 'AcDbDictionary'],
  ] as const),
  ...([
    [3, 'ACAD_GROUP'],
    [350, handles.groups],
  ] as const),
  ...([
    [0, 'DICTIONARY'],
    [5, handles.groups],
    [330, handles.root],
    [100, 'AcDbDictionary'],
  ] as const),
  ...([
    [0, 'ENDSEC'],
    [0, 'EOF'],
  ] as const),
]);

export function formatBlockRecord(name: string, handle: string): string {
  return formatRecord('BLOCK_RECORD', handle, handles.blockRecords, [
    [100, 'AcDbBlockTableRecord'],
    [2, name],
  ]);
}

interface BlockPart {
  readonly record: string;
  readonly layer: string;
  readonly handle: string;
}

export function formatBlockBegin({ name, record, layer, handle }: BlockPart & { readonly name: string }): string {
  return formatGroups([
    ...([
      [0, 'BLOCK'],
      [5, handle],
      [330, record],
      [100, 'AcDbEntity'],
      [8, layer],
    ] as const),
    ...([
      [100, 'AcDbBlockBegin'],
      [2, name],
      [70, 0],
      [10, 0],
      [20, 0],
      [30, 0],
      [3, name],
      [1, ''],
    ] as const),
  ]);
}

export function formatBlockEnd({ record, layer, handle }: BlockPart): string {
  return formatGroups([
    ...([
      [0, 'ENDBLK'],
      [5, handle],
      [330, record],
      [100, 'AcDbEntity'],
      [8, layer],
    ] as const),
    [100, 'AcDbBlockEnd'],
  ]);
}

function openSection(name: string): readonly Group[] {
  return [
    [0, 'SECTION'],
    [2, name],
  ];
}

const endSection: readonly Group[] = [[0, 'ENDSEC']];

function formatTable(name: string, handle: string, records: readonly string[]): string {
  const head: readonly Group[] = [
    ...([
      [0, 'TABLE'],
      [2, name],
      [5, handle],
      [330, 0],
    ] as const),
    [100, 'AcDbSymbolTable'],
    [70, records.length],
  ];
  return `${formatGroups(head)}${records.join('')}${formatGroups([[0, 'ENDTAB']])}`;
}

function formatRecord(type: string, handle: string, table: string, groups: readonly Group[]): string {
  return formatGroups([[0, type], [5, handle], [330, table], [100, 'AcDbSymbolTableRecord'], ...groups]);
}

function formatLineType({ name, lengths }: DxfLineType, handle: string): string {
  return formatRecord('LTYPE', handle, handles.lineTypes, [
    ...([
      [100, 'AcDbLinetypeTableRecord'],
      [2, name],
      [70, 0],
      [3, ''],
      [72, 65],
      [73, lengths.length],
    ] as const),
    [40, lengths.reduce((sum, length) => sum + Math.abs(length), 0)],
    ...lengths.flatMap((length): readonly Group[] => [
      [49, length],
      [74, 0],
    ]),
  ]);
}

function formatLayer({ name, color, lineType }: DxfLayer, handle: string): string {
  return formatRecord('LAYER', handle, handles.layers, [
    ...([
      [100, 'AcDbLayerTableRecord'],
      [2, name],
      [70, 0],
      [62, color],
      [6, lineType],
    ] as const),
  ]);
}
