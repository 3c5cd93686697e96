import type { Row, Values } from './lib';

/** What has no entry here is counted. */
const units: Partial<Record<keyof Values, (value: number) => string>> = {
	seconds: (value) => `${round(value)} s`,
	milliseconds: (value) => `${round(value)} ms`,
	megabytes: (value) => `${round(value)} MB`,
	refusedPercent: (value) => `${value.toFixed(2)} % refused`,
	overPercent: (value) => `${value.toFixed(2)} % over the least time`,
};

const whole = (value: number) => value.toLocaleString('en');

/** To three digits. */
const round = (value: number) => (value < 100 ? value.toPrecision(3) : whole(Math.round(value)));

const cell = (values: Values) =>
	Object.entries(values)
		.map(([unit, value]) => units[unit as keyof Values]?.(value) ?? `${whole(value)} ${unit}`)
		.join(', ');

export function table(rows: Row[], { cores, node }: { cores: number; node: string }): string {
	const lines = rows.map(({ what, here, beside, ratio, goal }) => [
		what,
		cell(here),
		beside ? `${beside.name}: ${cell(beside.values)}` : '',
		ratio === undefined ? '' : ratio.toPrecision(3),
		goal ? `${goal.text}: ${goal.met ? 'met' : '**missed**'}` : '',
	]);
	return [
		['Measured', 'This package', 'Compared with', 'Ratio', 'Goal'],
		['---', '---', '---', '---', '---'],
		...lines,
	]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.concat('', `Measured on ${cores} cores with Node.js ${node}.`)
		.join('\n');
}
