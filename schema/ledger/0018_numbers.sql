-- Orders that the service lists under a name which it writes as a number, without the zeros in front.

UPDATE listed SET plain = CASE ltrim(plain, '0') WHEN '' THEN '0' ELSE ltrim(plain, '0') END
WHERE plain GLOB '0*' AND plain NOT GLOB '*[^0-9]*';
