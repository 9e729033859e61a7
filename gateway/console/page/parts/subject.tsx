import { Text } from '@mantine/core';

interface SubjectProps {
  of: { subject: string | null; subject_name: string | null };
}

/** The store or structure that an event is about: its name, and its id. */
export function Subject({ of: { subject, subject_name } }: SubjectProps) {
  if (subject === null) return null;
  return (
    <span title={subject_name === null ? subject : `${subject_name} (${subject})`}>
      {subject_name !== null && <bdi>{subject_name} </bdi>}
      <Text span size="xs" c="dimmed" className="mono">
        {subject}
      </Text>
    </span>
  );
}
