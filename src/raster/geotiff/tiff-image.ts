/** One image of a TIFF file: its block layout, validated before any block is read. */
import { MAX_BANDS, MAX_BLOCK_BYTES, MAX_SIDE_PIXELS } from '../port/limits.ts';
import type { RasterFile } from '../port/raster-file.ts';
import { getBytesPerSample, type SampleType } from '../port/samples.ts';
import { getCompressionName, isReadable } from './compressions.ts';
import { createMalformedError, createUnsupportedError, type TiffDirectory } from './tiff-directory.ts';

/** The supported tags, by their names in the specification. */
export const tags = {
  newSubfileType: 254,
  imageWidth: 256,
  imageLength: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  imageDescription: 270,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfiguration: 284,
  dateTime: 306,
  predictor: 317,
  colorMap: 320,
  tileWidth: 322,
  tileLength: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  extraSamples: 338,
  sampleFormat: 339,
  smallestSample: 340,
  largestSample: 341,
  jpegTables: 347,
  subsampling: 530,
  modelPixelScale: 33550,
  modelTiepoint: 33922,
  modelTransformation: 34264,
  geoKeyDirectory: 34735,
  geoDoubleParams: 34736,
  geoAsciiParams: 34737,
  gdalMetadata: 42112,
  gdalNoData: 42113,
  lercParameters: 50674,
} as const;

export const photometrics = {
  whiteIsZero: 0,
  blackIsZero: 1,
  rgb: 2,
  palette: 3,
  mask: 4,
  cmyk: 5,
  yCbCr: 6,
} as const;

export const compressions = {
  none: 1,
  jpeg: 7,
} as const;

export interface TiffImage {
  readonly file: RasterFile;
  readonly directory: TiffDirectory;
  readonly isLittleEndian: boolean;
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  /** The bits of one sample in the file. */
  readonly bits: number;
  /** The type of samples in memory. */
  readonly type: SampleType;
  readonly format: 'unsigned' | 'signed' | 'float';
  readonly isPlanar: boolean;
  readonly compression: number;
  readonly predictor: number;
  readonly photometric: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly blocksAcross: number;
  readonly blocksDown: number;
  readonly isTiled: boolean;
  /** For uncompressed strips, which are read in parts: the rows of a strip; else the height of a block. */
  readonly rowsPerStrip: number;
}

/** The maximum size of the parts of uncompressed strips. */
const PART_BYTES = 1_048_576;

/** Reads the size only, so that a file with an unsupported page can still be listed. */
export function readSize(
  directory: TiffDirectory,
  file: RasterFile,
): { readonly width: number; readonly height: number } {
  const width = directory.readNumber(tags.imageWidth);
  const height = directory.readNumber(tags.imageLength);
  for (const side of [width, height]) {
    if (side === undefined || !Number.isInteger(side) || side < 1 || side > MAX_SIDE_PIXELS) {
      throw createMalformedError(file, `its size of ${width} by ${height} pixels is invalid`);
    }
  }
  return { width: width ?? 0, height: height ?? 0 };
}

export function readImage(directory: TiffDirectory, file: RasterFile, isLittleEndian: boolean): TiffImage {
  const { width, height } = readSize(directory, file);
  const bands = directory.readNumber(tags.samplesPerPixel) ?? 1;
  if (!Number.isInteger(bands) || bands < 1 || bands > MAX_BANDS)
    throw createMalformedError(file, `its band count of ${bands} is invalid`);
  const { bits, format, type } = readSampleKind(directory, file);
  const compression = directory.readNumber(tags.compression) ?? compressions.none;
  if (!isReadable(compression))
    throw createUnsupportedError(file, `it uses the compression ${getCompressionName(compression)}`);
  const photometric = directory.readNumber(tags.photometric) ?? photometrics.blackIsZero;
  if (photometric === photometrics.yCbCr && compression !== compressions.jpeg && hasSubsampling(directory)) {
    throw createUnsupportedError(file, 'it uses YCbCr with chroma subsampling');
  }
  if (directory.readNumber(tags.fillOrder) === 2 && bits < 8 && compression !== compressions.none) {
    throw createUnsupportedError(file, 'it uses the reverse bit order');
  }
  const isPlanar = directory.readNumber(tags.planarConfiguration) === 2 && bands > 1;
  const shared = {
    file,
    directory,
    isLittleEndian,
    width,
    height,
    bands,
    bits,
    format,
    type,
    isPlanar,
    compression,
    photometric,
  };
  const predictor = directory.readNumber(tags.predictor) ?? 1;
  checkPredictor(file, predictor, bits, format);
  const image = { ...shared, predictor, ...readBlocks(shared) };
  checkBlocks(image);
  return image;
}

/** Returns the index of a block in the file. */
export function computeBlockNumber(image: TiffImage, across: number, down: number, plane: number): number {
  const perPlane =
    image.blocksAcross * (image.isTiled ? image.blocksDown : Math.ceil(image.height / image.rowsPerStrip));
  const row = image.isTiled ? down : Math.floor((down * image.blockHeight) / image.rowsPerStrip);
  return (image.isPlanar ? plane * perPlane : 0) + row * image.blocksAcross + across;
}

/** Returns the number of interleaved samples per pixel of a block. */
export function countSamplesPerBlockPixel(image: Pick<TiffImage, 'isPlanar' | 'bands'>): number {
  return image.isPlanar ? 1 : image.bands;
}

/** Rows begin at a byte, even if samples do not. */
export function computeRowBytes(image: Pick<TiffImage, 'isPlanar' | 'bands' | 'bits' | 'blockWidth'>): number {
  return Math.ceil((image.blockWidth * countSamplesPerBlockPixel(image) * image.bits) / 8);
}

function readSampleKind(directory: TiffDirectory, file: RasterFile): Pick<TiffImage, 'bits' | 'format' | 'type'> {
  const bits = findCommonValue(directory.readNumbers(tags.bitsPerSample) ?? [1]);
  if (bits === undefined) throw createUnsupportedError(file, 'its bands have different bit depths');
  const formatNumber = findCommonValue(directory.readNumbers(tags.sampleFormat) ?? [1]);
  const toSampleKind = (format: TiffImage['format'], type: SampleType | undefined) => {
    if (type === undefined) throw createUnsupportedError(file, `it has ${bits}-bit ${format} samples`);
    return { bits, format, type };
  };
  switch (formatNumber) {
    case 1:
    // Undefined sample format, which other readers treat as integers too.
    case 4:
      return toSampleKind('unsigned', findIntegerType('uint', bits));
    case 2:
      return toSampleKind('signed', findIntegerType('int', bits));
    case 3:
      return toSampleKind('float', bits === 16 || bits === 32 ? 'float32' : bits === 64 ? 'float64' : undefined);
    case 5:
    case 6:
      throw createUnsupportedError(file, 'it has complex samples');
    case undefined:
      throw createUnsupportedError(file, 'its bands have different sample formats');
    default:
      throw createMalformedError(file, `sample format ${formatNumber} is unknown`);
  }
}

function findIntegerType(kind: 'uint' | 'int', bits: number): SampleType | undefined {
  if (!Number.isInteger(bits) || bits < 1) return undefined;
  const width = ([8, 16, 32] as const).find((each) => bits <= each);
  if (width !== undefined) return `${kind}${width}`;
  return bits === 64 ? `${kind}64` : undefined;
}

/** Returns the common value; undefined if they differ. */
function findCommonValue(values: readonly number[]): number | undefined {
  const [first] = values;
  return values.every((value) => value === first) ? first : undefined;
}

function hasSubsampling(directory: TiffDirectory): boolean {
  return (directory.readNumbers(tags.subsampling) ?? [2, 2]).some((factor) => factor !== 1);
}

function checkPredictor(file: RasterFile, predictor: number, bits: number, format: TiffImage['format']): void {
  const isByteWise = [8, 16, 32, 64].includes(bits);
  if (predictor === 1) return;
  if (predictor === 2 && isByteWise) return;
  if (predictor === 3 && format === 'float') return;
  throw predictor === 2 || predictor === 3
    ? createUnsupportedError(file, `it uses predictor ${predictor} with ${bits}-bit ${format} samples`)
    : createMalformedError(file, `predictor ${predictor} is unknown`);
}

type Blocks = Pick<
  TiffImage,
  'blockWidth' | 'blockHeight' | 'blocksAcross' | 'blocksDown' | 'isTiled' | 'rowsPerStrip'
>;

function readBlocks(
  image: Pick<TiffImage, 'file' | 'directory' | 'width' | 'height' | 'bands' | 'bits' | 'isPlanar' | 'compression'>,
): Blocks {
  const { directory, file, width, height } = image;
  if (directory.has(tags.tileWidth) || directory.has(tags.tileOffsets)) {
    const blockWidth = side(file, directory.readNumber(tags.tileWidth), 'tiles');
    const blockHeight = side(file, directory.readNumber(tags.tileLength), 'tiles');
    return {
      ...{ blockWidth, blockHeight, isTiled: true, rowsPerStrip: blockHeight },
      blocksAcross: Math.ceil(width / blockWidth),
      blocksDown: Math.ceil(height / blockHeight),
    };
  }
  const declared = side(file, directory.readNumber(tags.rowsPerStrip) ?? height, 'strips', 2 ** 32 - 1);
  const stripRows = Math.min(declared, height);
  const rowsAtOnce = Math.max(1, Math.floor(PART_BYTES / computeRowBytes({ ...image, blockWidth: width })));
  const isDivisible = image.compression === compressions.none && rowsAtOnce < stripRows;
  // A part must not extend into the next strip; a single strip has no next one.
  const blockHeight = !isDivisible
    ? stripRows
    : stripRows === height
      ? rowsAtOnce
      : findLargestDivisor(stripRows, rowsAtOnce);
  return {
    ...{ blockWidth: width, blockHeight, blocksAcross: 1, blocksDown: Math.ceil(height / blockHeight), isTiled: false },
    rowsPerStrip: stripRows,
  };
}

function side(file: RasterFile, value: number | undefined, what: string, most = MAX_SIDE_PIXELS): number {
  if (value !== undefined && Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw createMalformedError(file, `the side length of its ${what} is invalid: ${value} pixels`);
}

function findLargestDivisor(of: number, atMost: number): number {
  for (let divisor = atMost; divisor > 1; divisor -= 1) if (of % divisor === 0) return divisor;
  return 1;
}

function checkBlocks(image: TiffImage): void {
  const pixels = image.blockWidth * image.blockHeight * countSamplesPerBlockPixel(image);
  const bytes = Math.max(computeRowBytes(image) * image.blockHeight, pixels * getBytesPerSample(image.type));
  if (bytes <= MAX_BLOCK_BYTES) return;
  throw image.file.sizeBytes * 5_000 < bytes
    ? createMalformedError(image.file, `the block size of ${bytes} bytes is invalid`)
    : createUnsupportedError(image.file, `each block has ${bytes} bytes, which exceeds the limit for unpacking`);
}
