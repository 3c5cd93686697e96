import type { IDataObject } from 'n8n-workflow';
import { isRecord, recordsIn } from '../isRecord';

const FAILED = ['failed', 'aborted', 'cancelled'];

/** Whether a task has come to an end, well or not. Source: Part A, 2.9. */
export const isEnded = ({ status }: IDataObject): boolean =>
	status === 'completed' || FAILED.includes(String(status));

/**
 * What went wrong with a task, from the view of a single task: its state, and the first step with an error.
 * @returns undefined for a task that ended well
 */
export function failureOf(task: IDataObject): string | undefined {
	if (!FAILED.includes(String(task.status))) return undefined;
	const step = failedStep(task);
	return `The task ${String(task.id)} ended as ${String(task.status)}${step ? `: ${step}` : ''}`;
}

/** The first step with an error, from the view of a single task: `step restore_files on site 7: …`. */
export function failedStep({ details }: IDataObject): string | undefined {
	const sites = isRecord(details) ? recordsIn(details.sites) : [];
	for (const site of sites) {
		for (const step of recordsIn(site.steps)) {
			const why = errorIn(step.error);
			if (!why && !FAILED.includes(String(step.status))) continue;
			const reason = why || textOf(step.details);
			return `step ${String(step.type)} on site ${String(site.id)}${reason ? `: ${reason}` : ''}`;
		}
	}
	return undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** The form of a step's error is not documented beyond that it is empty when there is none. */
function errorIn(error: unknown): string {
	if (!isRecord(error) || Object.keys(error).length === 0) return textOf(error);
	return textOf(error.message) || textOf(error.code) || JSON.stringify(error);
}

/** The site of a task that works on no other: of several none stands for the others. */
export function onlySite({ input }: IDataObject): unknown {
	const sites = isRecord(input) ? recordsIn(input.sites) : [];
	return sites.length === 1 ? sites[0]!.id : undefined;
}
