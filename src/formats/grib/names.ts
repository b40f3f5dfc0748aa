/**
 * Names and units of the parameters and levels that are met most, as eccodes has them for CF (`cfVarName`,
 * `typeOfLevel`).
 */

export interface Parameter {
  readonly name: string;
  /** Absent where the parameter is not known here. */
  readonly units?: string;
}

/**
 * Numbers, name, units; numbers: discipline.category.number, then `@type of level:level`, `/centre`, as far as needed.
 */
const PARAMETERS = `
0.0.0 t K; 0.0.0@103:2 t2m K; 0.0.2 pt K; 0.0.6 dpt K; 0.0.6@103:2 d2m K; 0.0.17 skt K; 0.1.0 q kg kg**-1;
0.1.0@103:2 sh2 kg kg**-1; 0.1.1 r %; 0.1.1@103:2 r2 %; 0.1.3 pwat kg m**-2; 0.1.7 prate kg m**-2 s**-1;
0.1.8 tp kg m**-2; 0.1.11 sde m; 0.1.33 crain (0 - 1); 0.1.34 cfrzr (0 - 1); 0.1.35 cicep (0 - 1); 0.1.36 csnow (0 - 1); 0.1.193/98 tp m; 0.2.1 ws m s**-1; 0.2.2 u m s**-1; 0.2.2@103:10 u10 m s**-1;
0.2.2@103:100 u100 m s**-1; 0.2.3 v m s**-1; 0.2.3@103:10 v10 m s**-1; 0.2.3@103:100 v100 m s**-1; 0.2.8 w Pa s**-1;
0.2.9 wz m s**-1; 0.2.10 absv s**-1; 0.2.12 vo s**-1; 0.2.13 d s**-1; 0.2.22 gust m s**-1; 0.3.0 pres Pa;
0.3.0@1 sp Pa; 0.3.0@101 msl Pa; 0.3.1 prmsl Pa; 0.3.4 z m**2 s**-2; 0.3.5 gh gpm; 0.3.5@1 orog m; 0.6.1 tcc %;
0.6.3 lcc %; 0.6.4 mcc %; 0.6.5 hcc %; 0.7.6 cape J kg**-1; 0.7.7 cin J kg**-1; 0.16.196/7 refc dB; 0.19.0 vis m; 2.0.0 lsm (0 - 1);
2.0.2 st K; 2.0.192/7 soilw Proportion
`;

/** The same of edition 1: table.number. Tables of the WMO have a number below 4, ECMWF's is 128. */
const PARAMETERS_1 = `
2.1 pres Pa; 2.1@1 sp Pa; 2.2 prmsl Pa; 2.7 gh gpm; 2.11 t K; 2.11@105:2 t2m K; 2.33 u m s**-1;
2.33@105:10 u10 m s**-1; 2.34 v m s**-1; 2.34@105:10 v10 m s**-1; 2.39 w Pa s**-1; 2.51 q kg kg**-1; 2.52 r %;
2.61 tp kg m**-2; 128.39 swvl1 m**3 m**-3; 128.40 swvl2 m**3 m**-3; 128.41 swvl3 m**3 m**-3; 128.42 swvl4 m**3 m**-3;
128.129 z m**2 s**-2; 128.130 t K; 128.131 u m s**-1; 128.132 v m s**-1; 128.133 q kg kg**-1; 128.134 sp Pa;
128.135 w Pa s**-1; 128.138 vo s**-1; 128.139 stl1 K; 128.151 msl Pa; 128.155 d s**-1; 128.156 gh gpm; 128.157 r %;
128.164 tcc (0 - 1); 128.165 u10 m s**-1; 128.166 v10 m s**-1; 128.167 t2m K; 128.168 d2m K; 128.170 stl2 K;
128.183 stl3 K; 128.228 tp m; 128.235 skt K; 128.236 stl4 K
`;

/** Type of level, name of the level alone, of the layer between two. */
const LEVELS = `
1 surface; 2 cloudBase; 3 cloudTop; 4 isothermZero; 6 maxWind; 7 tropopause; 8 nominalTop; 10 atmosphere;
100 isobaricInhPa isobaricLayer; 101 meanSea; 102 heightAboveSea; 103 heightAboveGround heightAboveGroundLayer;
104 sigma sigmaLayer; 105 hybrid hybridLayer; 106 depthBelowLand depthBelowLandLayer; 107 theta;
108 pressureFromGround pressureFromGroundLayer; 109 potentialVorticity; 160 depthBelowSea; 200 atmosphereSingleLayer
`;

const LEVELS_1 = `
1 surface; 2 cloudBase; 3 cloudTop; 4 isothermZero; 6 maxWind; 7 tropopause; 8 nominalTop; 100 isobaricInhPa;
102 meanSea; 103 heightAboveSea; 105 heightAboveGround; 107 sigma; 109 hybrid; 111 depthBelowLand;
112 depthBelowLandLayer; 113 theta; 117 potentialVorticity; 160 depthBelowSea; 200 atmosphere
`;

export function unitsOfLevel(levelType: string): string {
  if (levelType.startsWith("isobaric")) return "hPa";
  return /^(?:height|depth)/.test(levelType) ? "m" : levelType === "theta" ? "K" : "1";
}

type Table = ReadonlyMap<string, readonly string[]>;

const rowsOf = (text: string): Table =>
  new Map(
    text
      .split(/;?\n|; /)
      .map((entry) => entry.split(" "))
      .map(([key = "", ...rest]) => [key, rest]),
  );

const [known, known1] = [rowsOf(PARAMETERS), rowsOf(PARAMETERS_1)];
const [levels, levels1] = [rowsOf(LEVELS), rowsOf(LEVELS_1)];

interface Asked {
  readonly centre: number;
  readonly surface: number;
  readonly level: number;
}

export const parameterOf = (asked: Asked & { readonly numbers: readonly number[] }): Parameter =>
  parameterIn(known, asked.numbers.join("."), asked);

/** Without the WMO's own table or ECMWF's 128 nothing is known. */
export function parameterOf1({ table, number, ...asked }: Asked & { table: number; number: number }): Parameter {
  const key = table <= 3 ? `2.${number}` : `${table}.${number}`;
  return table === 128 && asked.centre !== 98 ? unknown(key) : parameterIn(known1, key, asked);
}

/** Name by ECMWF's number (`paramId`) of its table 128. */
export const ecmwfName = (paramId: number): string | undefined => known1.get(`128.${paramId}`)?.[0];

const ECMWF_NAMES: ReadonlySet<string | undefined> = new Set(
  [...known1].flatMap(([key, [name]]) => (key.startsWith("128.") ? [name] : [])),
);

/** The parameter has a number of ECMWF's table 128. */
export const hasEcmwfNumber = (name: string): boolean => ECMWF_NAMES.has(name);

function parameterIn(table: Table, key: string, { centre, surface, level }: Asked): Parameter {
  const keys = [`${key}/${centre}`, `${key}@${surface}:${level}`, `${key}@${surface}`, key];
  const [name, ...units] = keys.map((one) => table.get(one)).find((one) => one !== undefined) ?? [];
  return name === undefined ? unknown(key) : { name, units: units.join(" ") };
}

const unknown = (key: string): Parameter => ({ name: `parameter_${key.replaceAll(".", "_")}` });

export function levelName(type: number, isLayer: boolean): string {
  const [level = `level_${type}`, layer = `${level}Layer`] = levels.get(String(type)) ?? [];
  return isLayer ? layer : level;
}

export const levelName1 = (type: number): string => levels1.get(String(type))?.[0] ?? `level_${type}`;
