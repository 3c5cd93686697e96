import type { INodePropertyOptions } from 'n8n-workflow';
import { taskTypes } from '../../shared/vocabulary/taskValues';

export const typeOptions: INodePropertyOptions[] = taskTypes.map(
	([value, name, , description]) => ({ name, value, description }),
);

export const groupedTypeOptions: INodePropertyOptions[] = taskTypes
	.map(([value, , name, description]) => ({ name, value, description }))
	.sort((a, b) => a.name.localeCompare(b.name));
