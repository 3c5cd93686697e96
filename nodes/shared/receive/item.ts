import type { INodeExecutionData } from 'n8n-workflow';

/** An item of output before it is paired with its input. */
export type Item = Pick<INodeExecutionData, 'json' | 'binary'> & {
	/** Whether it is no record, but tells a model of them. */
	isNote?: true;
};
