import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Field } from '../../nodes/shared/input/field';
import type { Operation } from '../../nodes/shared/operation/index';
import * as tables from '../../nodes/resources';
import { counts } from './composed';
import { allOperations, fileWith, readText, root } from './reference';

const resources = Object.values(tables);

/** The operations that can run with nothing but ids, whose cases are made of the reference. */

const CASES = 'test/contract/operations';

/** Whether all that the user sets is read by the node, and not sent; a list needs no filter. */
const needsNothing = ({ answer, fields, composed }: Operation) =>
	answer.kind === 'list' ||
	(!composed &&
		answer.kind !== 'file' &&
		fields
			.flatMap((field) => (field.type === 'collection' ? (field.options as Field[]) : [field]))
			.every(({ target }) => !target));

const ends = resources.flatMap(({ value, operations }) =>
	operations.filter(needsNothing).map(({ labels }) => `/${value}/${labels.value}`),
);

/** Their names, such as `tag/tag/get`. */
export const onlyIds = [
	...allOperations
		.map(({ operation }) => operation)
		.filter((operation) => ends.some((end) => operation.endsWith(end))),
	...counts.map(({ operation }) => operation),
];

/** Whether the user chooses how much of each record comes out. */
export const hasOutput = (operation: string): boolean =>
	resources.some(({ value, operations }) =>
		operations.some(
			({ labels, answer }) =>
				operation.endsWith(`/${value}/${labels.value}`) && 'output' in answer && !!answer.output,
		),
	);

/** `tag/tag/` of `tag/tag/get by-name`. */
export const resourceOf = (name: string) => name.replace(/[^/]*$/, '');

/** The cases of a resource are in one file. */
const fileOf = (name: string) => fileWith(CASES, `\t'${resourceOf(name)}`);

export const caseFile = (name: string) =>
	fileOf(name) ?? fileWith(CASES, `\t'${name.split('/')[0]!}/`) ?? `${CASES}/<family>.test.ts`;

const texts = readdirSync(path.join(root, CASES)).map((file) => readText(`${CASES}/${file}`));

/** Whether an operation has a case by hand, or one is made of the reference beside others of its resource. */
export const hasCase = (name: string) =>
	texts.some((text) => new RegExp(`^\\t'${name}[' ]`, 'm').test(text)) ||
	(onlyIds.includes(name) && fileOf(name) !== undefined);
